#include "sandbox/mail_text.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "base/encoding.h"

namespace guildhall::sandbox {
namespace {

struct Part {
  std::string_view headers, body;
};

Part part_of(std::string_view text) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end + 2), text.substr(end + 4)};
}

// The value of a header, with its continuation lines joined; empty if there is none.
std::string header(std::string_view headers, std::string_view lower_case_name) {
  std::string value;
  bool found = false;
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find("\r\n"));
    headers.remove_prefix(std::min(headers.size(), line.size() + 2));
    if (found && (line.starts_with(' ') || line.starts_with('\t'))) {
      value += ' ';
      value += trim(line);
      continue;
    }
    if (found) break;
    const std::size_t colon = line.find(':');
    found = colon != std::string_view::npos && is_text(line.substr(0, colon), lower_case_name);
    if (found) value = trim(line.substr(colon + 1));
  }
  return value;
}

// `mark` is '=' in bodies, and also in encoded words, where '_' is a space.
std::string unquoted(std::string_view text, bool is_word) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == '=' && text.substr(i + 1).starts_with("\r\n")) {
      i += 2;
    } else if (text[i] == '=' && i + 2 < text.size() &&
               std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ec == std::errc()) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += is_word && text[i] == '_' ? ' ' : text[i];
    }
  }
  return out;
}

// =?UTF-8?Q?…?= and =?UTF-8?B?…?=; white space between two encoded words is not part of the text.
std::string decoded_words(std::string_view text) {
  std::string out;
  bool after_word = false;
  while (!text.empty()) {
    const std::size_t start = text.find("=?");
    const std::size_t charset = start == std::string_view::npos ? start : text.find('?', start + 2);
    const std::size_t end = charset == std::string_view::npos ? charset : text.find("?=", charset + 3);
    if (end == std::string_view::npos) break;
    const std::string_view before = text.substr(0, start), word = text.substr(charset + 3, end - charset - 3);
    if (!after_word || !trim(before).empty()) out += before;
    const bool is_base64 = lower(text[charset + 1]) == 'b';
    out += is_base64 ? from_base64(word).value_or("") : unquoted(word, true);
    text.remove_prefix(end + 2);
    after_word = true;
  }
  return out.append(text);
}

std::string decoded_body(const Part& part) {
  const std::string encoding = header(part.headers, "content-transfer-encoding");
  if (is_text(encoding, "quoted-printable")) return unquoted(part.body, false);
  if (!is_text(encoding, "base64")) return std::string(part.body);
  std::string packed(part.body);
  std::erase_if(packed, [](char c) { return c == '\r' || c == '\n'; });
  return from_base64(packed).value_or(packed);
}

// The value of boundary="…"; empty if the body is not in parts.
std::string boundary_of(std::string_view content_type) {
  constexpr std::string_view name = "boundary=\"";
  const std::size_t start = content_type.find(name);
  if (!content_type.starts_with("multipart/") || start == std::string_view::npos) return "";
  content_type.remove_prefix(start + name.size());
  return std::string(content_type.substr(0, content_type.find('"')));
}

}  // namespace

ReadMail read_mail(std::string_view message) {
  const Part whole = part_of(message);
  ReadMail mail{.subject = decoded_words(header(whole.headers, "subject")), .text = {}, .html = {}};
  const std::string boundary = boundary_of(header(whole.headers, "content-type"));
  if (boundary.empty()) {
    mail.text = decoded_body(whole);
    return mail;
  }
  const std::string mark = "--" + boundary;
  std::string_view rest = whole.body;
  while (rest.starts_with(mark + "\r\n")) {
    rest.remove_prefix(mark.size() + 2);
    const std::size_t end = std::min(rest.find("\r\n" + mark), rest.size());
    const Part part = part_of(rest.substr(0, end));
    const bool is_html = header(part.headers, "content-type").starts_with("text/html");
    (is_html ? mail.html : mail.text) = decoded_body(part);
    rest.remove_prefix(std::min(rest.size(), end + 2));
  }
  return mail;
}

}  // namespace guildhall::sandbox
