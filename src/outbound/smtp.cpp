#include "outbound/smtp.h"

#include <algorithm>
#include <curl/curl.h>
#include <fmt/chrono.h>
#include <memory>

#include "base/ascii.h"
#include "base/codec.h"
#include "outbound/quoted_printable.h"

namespace guildhall::outbound {
namespace {

// Cuts the text to 500 bytes and replaces control characters, such as line breaks, so that it cannot add a header.
std::string one_line(std::string_view text) {
  std::string line(text.substr(0, 500));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

// Encodes words with characters beyond ASCII (RFC 2047), in pieces that are short enough for a line and never split a
// character.
std::string header_words(std::string_view text) {
  constexpr std::size_t piece_bytes_max = 18;
  const std::string line = one_line(text);
  if (std::all_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x80; })) return line;
  std::string encoded;
  for (std::size_t start = 0; start < line.size();) {
    std::size_t end = std::min(line.size(), start + piece_bytes_max);
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    encoded += encoded.empty() ? "=?UTF-8?Q?" : "\r\n =?UTF-8?Q?";
    for (; start < end; ++start) encoded += fmt::format("={:02X}", static_cast<unsigned char>(line[start]));
    encoded += "?=";
  }
  return encoded;
}

// ASCII without control characters, in lines that any server takes: SMTP allows 998 bytes.
bool is_plain(std::string_view text) {
  constexpr std::size_t line_bytes_max = 900;
  std::size_t length = 0;
  for (const char c : text) {
    if (c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~')) return false;
    length = c == '\n' ? 0 : length + 1;
    if (length > line_bytes_max) return false;
  }
  return true;
}

// Appends the headers and the body of one version of the text. Other text than plain ASCII is encoded, so that servers
// without 8BITMIME take it, too.
void append_part(std::string& out, std::string_view type, std::string_view text) {
  const bool plain = is_plain(text);
  out += fmt::format("Content-Type: {}; charset=utf-8\r\nContent-Transfer-Encoding: {}\r\n\r\n", type,
                     plain ? "7bit" : "quoted-printable");
  if (!plain) {
    out += quoted_printable(text);
    return;
  }
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\n') out += '\r';
    out += c;
  }
  out += "\r\n";
}

// The headers and the body of the text, or of both its versions. Neither contains the boundary, because it has the
// mail's id.
std::string content_of(const Mail& mail) {
  std::string content;
  if (mail.html.empty()) {
    append_part(content, "text/plain", mail.text);
    return content;
  }
  const std::string boundary = "=_" + one_line(mail.id);
  content = fmt::format("Content-Type: multipart/alternative; boundary=\"{}\"\r\n\r\n--{}\r\n", boundary, boundary);
  append_part(content, "text/plain", mail.text);
  content += fmt::format("--{}\r\n", boundary);
  append_part(content, "text/html", mail.html);
  content += fmt::format("--{}--\r\n", boundary);
  return content;
}

// The value of the header From: a name beyond ASCII is encoded, any other one is quoted.
std::string from_header(const Sender& sender) {
  if (sender.name.empty()) return sender.address;
  std::string name = header_words(sender.name);
  if (name == sender.name) {
    name = "\"";
    for (const char c : sender.name) {
      if (c == '"' || c == '\\') name += '\\';
      name += c;
    }
    name += '"';
  }
  return fmt::format("{} <{}>", name, sender.address);
}

Sender sender_of(const MailServer& server) {
  return parse_sender(server.from).value_or(Sender{"", one_line(server.from)});
}

std::string unsubscribe_headers(const Mail& mail) {
  if (mail.unsubscribe_url.empty()) return "";
  return fmt::format("List-Unsubscribe: <{}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
                     one_line(mail.unsubscribe_url));
}

struct Reader {
  std::string_view rest;
};

std::size_t give(char* into, std::size_t size, std::size_t count, void* user) {
  auto& reader = *static_cast<Reader*>(user);
  const std::size_t bytes = std::min(size * count, reader.rest.size());
  reader.rest.copy(into, bytes);
  reader.rest.remove_prefix(bytes);
  return bytes;
}

}  // namespace

std::optional<Sender> parse_sender(std::string_view text) {
  constexpr std::size_t name_bytes_max = 200;
  Sender sender{"", std::string(trim(text))};
  if (const std::size_t bracket = text.rfind('<'); bracket != std::string_view::npos && trim(text).ends_with('>')) {
    std::string_view name = trim(text.substr(0, bracket));
    if (name.size() > 1 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    sender.name = name;
    sender.address = text.substr(bracket + 1, text.rfind('>') - bracket - 1);
  }
  const bool is_address = is_email(sender.address) || is_email(sender.address + ".localhost");
  const bool is_name = sender.name.size() <= name_bytes_max && one_line(sender.name) == sender.name &&
                       sender.name.find_first_of("<>") == std::string::npos;
  return is_address && is_name ? std::optional(std::move(sender)) : std::nullopt;
}

std::string mail_text(const MailServer& server, const Mail& mail, std::chrono::system_clock::time_point at) {
  const Sender sender = sender_of(server);
  const std::size_t domain = sender.address.find('@');
  std::string text = fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\nFrom: {}\r\nTo: {}\r\nSubject: {}\r\nMessage-ID: <{}@{}>\r\n"
      "MIME-Version: 1.0\r\nAuto-Submitted: auto-generated\r\n{}",
      fmt::gmtime(at), from_header(sender), one_line(mail.to), header_words(mail.subject), one_line(mail.id),
      domain == std::string::npos ? "localhost" : sender.address.substr(domain + 1), unsubscribe_headers(mail));
  return text + content_of(mail);
}

MailResult send_mail(const MailServer& server, const Mail& mail) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  if (!curl) return {.error = "curl does not start"};
  const std::string text = mail_text(server, mail, std::chrono::system_clock::now());
  Reader reader{text};
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> to(curl_slist_append(nullptr, mail.to.c_str()),
                                                                       curl_slist_free_all);
  const bool signs_in = server.url.find('@') != std::string::npos;
  curl_easy_setopt(curl.get(), CURLOPT_URL, server.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl_easy_setopt(curl.get(), CURLOPT_USE_SSL, static_cast<long>(signs_in ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(server.total_ms_max.count()));
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_FROM, sender_of(server).address.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_RCPT, to.get());
  curl_easy_setopt(curl.get(), CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_READFUNCTION, give);
  curl_easy_setopt(curl.get(), CURLOPT_READDATA, &reader);
  const CURLcode result = curl_easy_perform(curl.get());
  if (result == CURLE_OK) return {.sent = true};
  long code = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &code);
  return {.refused = code >= 500 && code < 600,
          .error = fmt::format("{}{}", curl_easy_strerror(result), code > 0 ? fmt::format(" ({})", code) : "")};
}

}  // namespace guildhall::outbound
