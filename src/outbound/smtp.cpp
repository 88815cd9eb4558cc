#include "outbound/smtp.h"

#include <algorithm>
#include <curl/curl.h>
#include <fmt/chrono.h>
#include <memory>

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

void append_lines(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\r') continue;
    if (c == '\n') out += '\r';
    out += c;
  }
  out += "\r\n";
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

std::string mail_text(const MailServer& server, const Mail& mail, std::chrono::system_clock::time_point at) {
  const std::size_t domain = server.from.find('@');
  std::string text = fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\nFrom: {}\r\nTo: {}\r\nSubject: {}\r\nMessage-ID: <{}@{}>\r\n"
      "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
      "Auto-Submitted: auto-generated\r\n\r\n",
      fmt::gmtime(at), one_line(server.from), one_line(mail.to), header_words(mail.subject), one_line(mail.id),
      domain == std::string::npos ? "localhost" : one_line(server.from.substr(domain + 1)));
  append_lines(text, mail.text);
  return text;
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
  curl_easy_setopt(curl.get(), CURLOPT_MAIL_FROM, server.from.c_str());
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
