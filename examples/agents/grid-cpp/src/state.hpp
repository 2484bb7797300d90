// The file that outlives the process: requests that may be on their way, the match, the result. Never the key.
#pragma once

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.hpp"

// File is an open file.
class File {
 public:
  File(const std::string &path, int flags, mode_t mode = 0) : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {
    if (fd_ < 0) fail();
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() { ::close(fd_); }

  void write(const std::string &text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(fd_, text.data() + done, text.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail();
      done += static_cast<std::size_t>(n);
    }
  }

  void sync() {
    if (::fsync(fd_) != 0) fail();
  }

  // read gives all of it, up to a limit that no state file comes near.
  std::string read() {
    std::string text;
    char block[8192];
    while (text.size() < (1 << 20)) {
      const ssize_t n = ::read(fd_, block, sizeof block);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail();
      if (n == 0) break;
      text.append(block, static_cast<std::size_t>(n));
    }
    return text;
  }

 private:
  [[noreturn]] void fail() const { throw Stop(Exit::usage, path_ + ": " + std::strerror(errno)); }

  std::string path_;
  int fd_;
};

class State {
 public:
  State(std::string path, const std::string &base, const json &create) : path_(std::move(path)) {
    data_ = {{"format", format}, {"base", base}, {"create", create}, {"matchId", ""}, {"move", nullptr}, {"notBefore", 0}, {"over", nullptr}};
  }

  const json &operator[](const char *name) const { return data_.at(name); }
  const json &all() const { return data_; }

  // save changes a member and returns when it is on the disk: the file is the old one or the new one, never half of either.
  void save(const char *name, json value) {
    data_.at(name) = std::move(value);
    save();
  }

  // load reads the file, if there is one, which must be of the match that the options ask for.
  void load() {
    if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) return save();
    json found = deep_free(File(path_, O_RDONLY).read());
    bool good = found.is_object() && found.size() == data_.size() && string_at(found, "format") == format;
    for (const auto &item : data_.items()) good = good && found.contains(item.key());
    good = good && found["base"].is_string() && found["create"].is_object() && found["matchId"].is_string() && found["notBefore"].is_number();
    good = good && (found["move"].is_null() || found["move"].is_object()) && (found["over"].is_null() || found["over"].is_object());
    good = good && (found["move"].is_null() || !string_at(found["move"], "moveId").empty());
    for (const char *name : {"status", "reason", "seat", "scores"}) good = good && (found["over"].is_null() || found["over"].contains(name));
    good = good && (found["over"].is_null() || found["over"]["status"].is_string());
    if (!good || string_at(found["create"], "requestId").empty()) throw Stop(Exit::usage, path_ + " is no state file of " + format);
    json mine = data_["create"];
    mine["requestId"] = found["create"]["requestId"];
    if (nlohmann::json(mine) != nlohmann::json(found["create"]) || found["base"] != data_["base"]) {
      throw Stop(Exit::usage, path_ + " is of another match: give it the options that it began with, or another file");
    }
    data_ = std::move(found);
  }

 private:
  static constexpr const char *format = "grid-client/1";

  // deep_free parses JSON that is no deeper than a state can be; anything else gives null.
  static json deep_free(const std::string &text) {
    const auto shallow = [](int depth, json::parse_event_t, json &) { return depth < 16; };
    json found = json::parse(text, shallow, false);
    return found.is_discarded() ? json() : found;
  }

  void save() const {
    const std::string beside = path_ + ".tmp";
    {
      File file(beside, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      file.write(dump(data_) + "\n");
      file.sync();
    }
    if (std::rename(beside.c_str(), path_.c_str()) != 0) throw Stop(Exit::usage, path_ + ": " + std::strerror(errno));
    const auto slash = path_.rfind('/');
    File(slash == std::string::npos ? "." : path_.substr(0, slash + 1), O_RDONLY | O_DIRECTORY).sync();
  }

  std::string path_;
  json data_;
};
