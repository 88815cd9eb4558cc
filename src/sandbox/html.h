#pragma once

#include <string_view>

#include "http/reply.h"

namespace guildhall::sandbox {

// A small page of a party: consent, checkout. `content` is HTML.
http::Reply html_page(int status, std::string_view title, std::string_view content);

}  // namespace guildhall::sandbox
