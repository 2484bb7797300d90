// What all parts of the client use.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

// json keeps members in the order in which they came, so that a payload that was saved is sent again with the same bytes.
using json = nlohmann::ordered_json;

// Exit statuses, the same in all clients; 0 is a match that was played to its end.
struct Exit {
  static constexpr int broken = 1, usage = 2, key = 3, no_game = 4, strange = 5, later = 75;
};

// Stop ends the client with an exit status and a sentence for its user.
struct Stop : std::runtime_error {
  int status;
  Stop(int status, const std::string &text) : std::runtime_error(text), status(status) {}
};

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// dump gives JSON in one line; what is no UTF-8 in it is replaced.
inline std::string dump(const json &j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

// plain makes one printable line of what came from outside.
inline std::string plain(const std::string &text) {
  std::size_t end = std::min<std::size_t>(text.size(), 300);
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) end--;  // no half of a character
  std::string line;
  for (std::size_t i = 0; i < end; i++) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 = c == 0xc2 && i + 1 < end && static_cast<unsigned char>(text[i + 1]) < 0xa0;  // a control character of two bytes
    line += c < 0x20 || c == 0x7f || c1 ? '?' : text[i];
    if (c1) i++;
  }
  return line;
}

inline void say(const std::string &text) { std::cerr << text << std::endl; }

inline void sleep(double seconds) {
  if (seconds > 0) std::this_thread::sleep_for(Seconds(seconds));
}

// between gives a random number.
inline double between(double low, double high) {
  static std::mt19937_64 source{std::random_device{}()};
  return std::uniform_real_distribution<double>(low, high)(source);
}

// pause is how many seconds to wait before try number n: ever longer, and somewhat random, so that not all clients of a server that comes back
// come at once.
inline double pause(double first, int n) { return between(0.5, 1) * std::min(15.0, first * std::pow(2, std::min(n, 10))); }

// uuid gives a random UUID.
inline std::string uuid() {
  std::random_device source;
  std::uniform_int_distribution<unsigned> bytes(0, 255);
  std::string id;
  for (int i = 0; i < 16; i++) {
    unsigned b = bytes(source);
    if (i == 6) b = (b & 0x0f) | 0x40;
    if (i == 8) b = (b & 0x3f) | 0x80;
    char two[3];
    std::snprintf(two, sizeof two, "%02x", b);
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += two;
  }
  return id;
}

// string_at gives a member that is a string, "" where there is none.
inline std::string string_at(const json &object, const char *name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}
