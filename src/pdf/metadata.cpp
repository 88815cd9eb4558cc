#include "pdf/metadata.h"

#include <fmt/format.h>

#include "base/xml.h"
#include "pdf/objects.h"

namespace guildhall::pdf {
namespace {

constexpr std::string_view producer = "Guildhall";

std::string element(std::string_view name, std::string_view value) {
  return fmt::format("<{0}>{1}</{0}>\n", name, xml_escaped(value));
}

std::string seconds_of(Instant instant) {
  return to_string(instant).substr(0, 19) + "Z";
}

// The values of the properties of a schema.
std::string values_of(const XmpSchema& schema) {
  std::string text =
      fmt::format("<rdf:Description rdf:about=\"\" xmlns:{}=\"{}\">\n", schema.prefix, xml_escaped(schema.address));
  for (const XmpProperty& property : schema.properties) {
    text += element(schema.prefix + ":" + property.name, property.value);
  }
  return text + "</rdf:Description>\n";
}

std::string description_of(const XmpSchema& schema) {
  std::string text = "<rdf:li rdf:parseType=\"Resource\">\n" + element("pdfaSchema:schema", schema.description) +
                     element("pdfaSchema:namespaceURI", schema.address) + element("pdfaSchema:prefix", schema.prefix) +
                     "<pdfaSchema:property><rdf:Seq>\n";
  for (const XmpProperty& property : schema.properties) {
    text += "<rdf:li rdf:parseType=\"Resource\">\n" + element("pdfaProperty:name", property.name) +
            element("pdfaProperty:valueType", "Text") + element("pdfaProperty:category", "external") +
            element("pdfaProperty:description", property.description) + "</rdf:li>\n";
  }
  return text + "</rdf:Seq></pdfaSchema:property>\n</rdf:li>\n";
}

std::string descriptions_of(const std::vector<XmpSchema>& schemas) {
  if (schemas.empty()) return "";
  std::string text =
      "<rdf:Description rdf:about=\"\" xmlns:pdfaExtension=\"http://www.aiim.org/pdfa/ns/extension/\""
      " xmlns:pdfaSchema=\"http://www.aiim.org/pdfa/ns/schema#\""
      " xmlns:pdfaProperty=\"http://www.aiim.org/pdfa/ns/property#\">\n<pdfaExtension:schemas><rdf:Bag>\n";
  for (const XmpSchema& schema : schemas) text += description_of(schema);
  return text + "</rdf:Bag></pdfaExtension:schemas>\n</rdf:Description>\n";
}

std::string standard_properties(const DocumentInfo& info) {
  return fmt::format(
      "<rdf:Description rdf:about=\"\" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\n"
      "<pdfaid:part>3</pdfaid:part>\n<pdfaid:conformance>B</pdfaid:conformance>\n</rdf:Description>\n"
      "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
      " xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\">\n"
      "<dc:format>application/pdf</dc:format>\n"
      "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{}</rdf:li></rdf:Alt></dc:title>\n"
      "<dc:creator><rdf:Seq><rdf:li>{}</rdf:li></rdf:Seq></dc:creator>\n"
      "<dc:language><rdf:Bag><rdf:li>{}</rdf:li></rdf:Bag></dc:language>\n"
      "<xmp:CreateDate>{}</xmp:CreateDate>\n<xmp:ModifyDate>{}</xmp:ModifyDate>\n"
      "<pdf:Producer>{}</pdf:Producer>\n</rdf:Description>\n",
      xml_escaped(info.title), xml_escaped(info.author), xml_escaped(info.language), seconds_of(info.created),
      seconds_of(info.created), producer);
}

}  // namespace

std::string xmp_of(const DocumentInfo& info) {
  std::string text =
      "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n" +
      standard_properties(info);
  for (const XmpSchema& schema : info.schemas) text += values_of(schema);
  return text + descriptions_of(info.schemas) + "</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>";
}

std::string info_of(const DocumentInfo& info) {
  return fmt::format("<< /Title {} /Author {} /Producer {} /CreationDate ({}) /ModDate ({}) >>",
                     text_object(info.title), text_object(info.author), text_object(producer),
                     date_object(info.created), date_object(info.created));
}

std::string date_object(Instant instant) {
  std::string digits;
  for (const char c : to_string(instant).substr(0, 19)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return "D:" + digits + "Z";
}

}  // namespace guildhall::pdf
