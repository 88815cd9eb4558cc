#include "outbound/server_check.h"

#include <curl/curl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sstream>
#include <stdexcept>

namespace guildhall::outbound {
namespace {

std::optional<Instant> expiry_of(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                       BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), X509_free);
  std::tm time{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &time) != 1) return std::nullopt;
  return Instant{static_cast<std::int64_t>(::timegm(&time)) * 1000};
}

// The server's own certificate is the first of its chain.
std::optional<Instant> expiry_of_server(CURL* curl) {
  curl_certinfo* chain = nullptr;
  if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &chain) != CURLE_OK || chain == nullptr || chain->num_of_certs == 0) {
    return std::nullopt;
  }
  constexpr std::string_view key = "Cert:";
  for (const curl_slist* line = chain->certinfo[0]; line != nullptr; line = line->next) {
    const std::string_view field(line->data);
    if (field.starts_with(key)) return expiry_of(std::string(field.substr(key.size())));
  }
  return std::nullopt;
}

}  // namespace

ServerCheck check_server(const std::string& url, std::chrono::milliseconds total_ms_max,
                         const std::string& authorities_file) {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);  // several threads check at once
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  if (initialised != CURLE_OK || !curl) return {.error = "curl does not start"};
  const bool mail = url.starts_with("smtp");
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https,smtp,smtps");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(total_ms_max.count()));
  curl_easy_setopt(curl.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_CERTINFO, 1L);
  if (!authorities_file.empty()) curl_easy_setopt(curl.get(), CURLOPT_CAINFO, authorities_file.c_str());
  if (mail) {
    const bool signs_in = url.find('@') != std::string::npos;  // as send_mail does
    curl_easy_setopt(curl.get(), CURLOPT_USE_SSL, static_cast<long>(signs_in ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  }
  const CURLcode result = curl_easy_perform(curl.get());
  if (result != CURLE_OK) return {.error = curl_easy_strerror(result)};
  return {.certificate_expires_at = expiry_of_server(curl.get())};
}

std::string trusted_authorities_file() {
  const auto* version = curl_version_info(CURLVERSION_NOW);
  const std::string path = version->cainfo != nullptr ? version->cainfo : "";
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) ? path : "";
}

std::optional<Instant> certificate_expiry(const std::string& pem_file) {
  std::ifstream file(pem_file);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw std::runtime_error(fmt::format("{} cannot be read", pem_file));
  return expiry_of(text.str());
}

}  // namespace guildhall::outbound
