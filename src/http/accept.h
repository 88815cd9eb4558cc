#pragma once

#include <string_view>

namespace guildhall::http {

// The weight from 0 to 1 that an Accept or Accept-Encoding header gives to exactly this name; -1 if it does not name
// it.
double weight_in(std::string_view header, std::string_view name);

// True if the client would rather have HTML than JSON, as browsers do when a person opens an address. A header that
// treats both alike (such as */*) and a missing header mean a program.
bool prefers_html(std::string_view accept);

}  // namespace guildhall::http
