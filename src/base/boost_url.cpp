// Boost.URL's own code, compiled once: so its library need not be installed and linked.
#include <boost/url/src.hpp>
