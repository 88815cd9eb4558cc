#pragma once

#include <string>
#include <vector>

#include "base/instant.h"

namespace guildhall::pdf {

struct XmpProperty {
  std::string name;
  std::string value;
  std::string description;
};

// Properties of a document that no standard of PDF knows: the file must describe them.
struct XmpSchema {
  std::string description;
  std::string address;  // of its namespace
  std::string prefix;
  std::vector<XmpProperty> properties;
};

struct DocumentInfo {
  std::string title;
  std::string author;
  std::string language;  // such as de
  Instant created;
  std::vector<XmpSchema> schemas{};
};

// The metadata of a PDF/A-3 document (level B) as XML.
std::string xmp_of(const DocumentInfo& info);

// The same without the schemas, as a dictionary of the file.
std::string info_of(const DocumentInfo& info);

// A date of the file, such as D:20261115000000Z.
std::string date_object(Instant instant);

}  // namespace guildhall::pdf
