// HTTP: requests are sent again and again until the server has answered them or patience is over.
#pragma once

#include <curl/curl.h>

#include "common.hpp"
#include "state.hpp"

// CurlLibrary holds libcurl for as long as the process uses it.
struct CurlLibrary {
  CurlLibrary() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0) throw std::runtime_error("libcurl does not start");
  }
  CurlLibrary(const CurlLibrary &) = delete;
  CurlLibrary &operator=(const CurlLibrary &) = delete;
  ~CurlLibrary() { curl_global_cleanup(); }
};

// Answer is what the server says. body is the JSON of a 200 or 201.
struct Answer {
  long status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string text;
  json body;

  // good tells whether the server has done what it was asked.
  bool good() const { return status == 200 || status == 201; }

  std::string header(const std::string &name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

// complaint gives the code and detail of a problem document, as far as there are any.
inline std::string complaint(const std::string &text) {
  const json problem = json::parse(text, nullptr, false);
  const std::string code = string_at(problem, "code"), detail = string_at(problem, "detail");
  return plain(code + (code.empty() || detail.empty() ? "" : " ") + detail);
}

constexpr double day = 86400;  // seconds: the longest Retry-After that is believed

// date reads an HTTP date; -1 where it is none. curl_getdate alone takes nearly anything for a date.
inline std::time_t date(const std::string &text) {
  const std::string form = "Aaa, 00 Aaa 0000 00:00:00 GMT";
  const auto fits = [](char c, char f) {
    if (f == '0') return c >= '0' && c <= '9';
    if (f == 'A') return c >= 'A' && c <= 'Z';
    if (f == 'a') return c >= 'a' && c <= 'z';
    return c == f;
  };
  return std::equal(text.begin(), text.end(), form.begin(), form.end(), fits) ? curl_getdate(text.c_str(), nullptr) : -1;
}

// retry_after gives the seconds of a Retry-After header, a number or a date; below 0 where it has neither.
inline double retry_after(const Answer &answer) {
  const std::string value = answer.header("retry-after");
  if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos) return std::min(day, std::strtod(value.c_str(), nullptr));
  const std::time_t then = date(value);
  if (then < 0) return -1;
  const std::time_t theirs = date(answer.header("date"));
  // The server's own clock counts, whatever ours says; a second more, since dates have whole ones.
  return std::min(day, std::max(0.0, std::difftime(then, theirs < 0 ? std::time(nullptr) : theirs) + 1));
}

// nests tells whether JSON nests deeper than any answer does: other code works through it by calling itself.
inline bool nests(const std::string &text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (quoted && c == '\\') i++;
    else if (c == '"') quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > 200) return true;
    else if (!quoted && (c == ']' || c == '}')) depth--;
  }
  return false;
}

inline double wall_ms() { return Seconds(std::chrono::system_clock::now().time_since_epoch()).count() * 1000; }

class Api {
 public:
  Api(State &state, const std::string &key, double timeout, double patience) : state_(state), timeout_(timeout), patience_(patience), curl_(curl_easy_init()) {
    if (!curl_) throw std::runtime_error("libcurl has no handle");
    authorization_ = "Authorization: Bearer " + key;
  }

  // call gives the answer to a request: JSON with the status 200 or 201, or a status that trying again does not change. wait is in seconds.
  Answer call(const std::string &path, const json *payload, int wait = 0) {
    keep_away();
    const std::string body = payload ? dump(*payload) : "";
    const auto began = Clock::now();
    for (int tries = 1;; tries++) {
      Answer answer;
      double told = -1;
      std::string why = once(path, payload ? &body : nullptr, wait, answer);
      if (why.empty()) {
        const long s = answer.status;
        why = "the server says " + std::to_string(s) + " ";
        if (answer.good()) {
          answer.body = nests(answer.text) ? json(json::value_t::discarded) : json::parse(answer.text, nullptr, false);
          if (!answer.body.is_discarded()) return answer;
          why = "the server's answer is no JSON";
        } else if (s == 429 || s == 503) {
          told = retry_after(answer);
          why += complaint(answer.text);
        } else if (s != 408 && s != 425 && s < 500) {
          return answer;
        }
      }
      const double delay = std::max(told, pause(0.25, tries));  // 0 would be at once, again and again
      if (told >= 0) state_.save("notBefore", static_cast<std::int64_t>(std::ceil(wall_ms() + told * 1000)));
      if (Seconds(Clock::now() - began).count() + delay > patience_) throw later(why, delay);
      char rest[48];
      std::snprintf(rest, sizeof rest, "; again in %.1f s", delay);
      say(why + rest);
      sleep(delay);
    }
  }

 private:
  struct FreeCurl {
    void operator()(CURL *c) const { curl_easy_cleanup(c); }
  };
  struct FreeList {
    void operator()(curl_slist *l) const { curl_slist_free_all(l); }
  };
  static constexpr std::size_t max_body = 4 << 20;

  static Stop later(const std::string &why, double seconds) {
    return Stop(Exit::later, why + "; run the same command again in " + std::to_string(static_cast<long>(std::ceil(seconds))) + " s or later");
  }

  // keep_away keeps a Retry-After that an earlier run was given.
  void keep_away() const {
    const double left = std::min((state_["notBefore"].get<double>() - wall_ms()) / 1000, day);
    if (left > patience_) throw later("the server asked for patience", left);
    sleep(left);
  }

  // once sends a request once, and says why there was no whole answer.
  std::string once(const std::string &path, const std::string *body, int wait, Answer &answer) {
    CURL *c = curl_.get();
    curl_easy_reset(c);  // keeps connections
    char error[CURL_ERROR_SIZE] = "";
    std::unique_ptr<curl_slist, FreeList> headers;
    const auto add = [&](const std::string &line) {
      curl_slist *longer = curl_slist_append(headers.get(), line.c_str());
      if (!longer) throw std::bad_alloc();
      (void)headers.release();
      headers.reset(longer);
    };
    add(authorization_);
    add("Accept: application/json");
    add("User-Agent: grid-client-cpp/1");
    add("Expect:");
    if (wait > 0) add("Prefer: wait=" + std::to_string(wait));
    if (body) {
      add("Content-Type: application/json");
      curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
      curl_easy_setopt(c, CURLOPT_POSTFIELDS, body->c_str());
    }
    const std::string url = state_["base"].get<std::string>() + "/api/benchmarks/matches" + path;
    curl_easy_setopt(c, CURLOPT_URL, url.c_str());
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, static_cast<long>((timeout_ + wait) * 1000));
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);  // a redirect would carry the key to wherever it points
    if (url[4] == ':') curl_easy_setopt(c, CURLOPT_NOPROXY, "*");  // http, and so a loopback address, which a proxy is not
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, &answer);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, &answer);
    const CURLcode code = curl_easy_perform(c);
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, nullptr);
    if (answer.text.size() > max_body) throw Stop(Exit::strange, "the server answered with more than " + std::to_string(max_body) + " bytes");
    if (code != CURLE_OK) return "no answer: " + plain(*error ? error : curl_easy_strerror(code));
    curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &answer.status);
    return "";
  }

  static std::size_t on_header(char *data, std::size_t, std::size_t n, void *to) {
    const std::string line(data, n);
    const auto colon = line.find(':');
    if (colon == std::string::npos) return n;
    std::string name = line.substr(0, colon);
    for (char &ch : name) ch = ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch + 32) : ch;
    const auto begin = line.find_first_not_of(" \t", colon + 1), end = line.find_last_not_of(" \t\r\n");
    static_cast<Answer *>(to)->headers[name] = begin == std::string::npos || begin > end ? "" : line.substr(begin, end - begin + 1);
    return n;
  }

  static std::size_t on_body(char *data, std::size_t, std::size_t n, void *to) {
    auto &text = static_cast<Answer *>(to)->text;
    text.append(data, n);
    return text.size() > max_body ? 0 : n;
  }

  State &state_;
  double timeout_, patience_;
  std::string authorization_;
  std::unique_ptr<CURL, FreeCurl> curl_;
};
