#pragma once

#include <string_view>

#include "features/console/embedded_files.h"
#include "http/reply.h"
#include "http/request.h"

// Replies with the files of an embedded web application.
namespace guildhall {

// A file below assets/, compressed as the client accepts it. The name of an asset changes with its content, so browsers
// may cache it for ever. Throws not_found.
http::Reply asset_reply(std::span<const EmbeddedFile> files, const http::Request& request, const std::string& name);

// A file that keeps its name when its content changes. Throws not_found.
http::Reply plain_file_reply(std::span<const EmbeddedFile> files, std::string_view path);

// The one document of the application: its script shows the page of the address. Styles that the script creates are
// allowed by a nonce that is new for every reply. Pictures may also come from `picture_origin`, if one is given. Throws
// not_found if the binary was built without the application.
http::Reply document_reply(std::span<const EmbeddedFile> files, std::string_view picture_origin = {});

}  // namespace guildhall
