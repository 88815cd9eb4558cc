#pragma once

#include <string>

namespace guildhall {

// A random order number of ten letters and digits, without those that look alike: `K7M2P-9QXWD`.
std::string make_order_number();

}  // namespace guildhall
