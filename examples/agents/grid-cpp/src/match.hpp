// The match: creates it, polls, moves.
#pragma once

#include <optional>

#include "api.hpp"
#include "choose.hpp"
#include "common.hpp"
#include "state.hpp"

class Match {
 public:
  Match(Api &api, State &state) : api_(api), state_(state) {}

  // play plays to the end, wherever the match stands, and keeps how it ended.
  void play() {
    json seen = begin();
    int refused = 0;
    while (seen["status"] == "agent" || seen["status"] == "ai") {
      if (seen["status"] == "ai") {
        seen = poll();
        continue;
      }
      decide(seen);
      std::optional<json> after = submit();
      refused = after ? 0 : refused + 1;
      if (refused > refusals) throw Stop(Exit::strange, "the server takes no move of ours");
      if (refused > 1) sleep(pause(0.125, refused));
      seen = after ? std::move(*after) : reload();
    }
    json over = {{"status", seen["status"]}};
    for (const char *name : {"reason", "seat", "scores"}) over[name] = seen.contains(name) ? seen[name] : json();
    state_.save("over", over);
  }

 private:
  static constexpr double pace = 2;    // seconds from the end of one poll to the next while the opponent thinks
  static constexpr int hold = 20;      // seconds that the server is asked to hold a poll
  static constexpr int refusals = 5;   // conflicts in a row before it gives up

  // begin gives an observation to start from: it creates the match, sends a move that may not have arrived, or looks.
  json begin() {
    const std::string id = state_["matchId"];
    if (id.empty()) {
      const json create = state_["create"];
      json seen = observation(api_.call("", &create));
      const std::string given = string_at(seen, "matchId");
      const bool good = !given.empty() && given.size() <= 128 && given[0] != '.' && std::all_of(given.begin(), given.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':' || c == '-';
      });
      if (!good) throw Stop(Exit::strange, "the server gave no match id");
      state_.save("matchId", given);
      say("match " + given + " has begun");
      return seen;
    }
    say("going on with match " + id);
    if (!state_["move"].is_null()) {
      if (std::optional<json> seen = submit()) return std::move(*seen);
    }
    return reload();
  }

  std::string path() const { return "/" + state_["matchId"].get<std::string>(); }

  json reload(int wait = 0) {
    Answer answer = api_.call(path(), nullptr, wait);
    held_ = wait > 0 && answer.header("preference-applied").find("wait") != std::string::npos;
    return observation(std::move(answer));
  }

  // poll looks whether the opponent has moved, no faster than allowed.
  json poll() {
    if (!held_ && !polled_) polled_ = Clock::now();  // the answer to our move said so
    if (polled_) std::this_thread::sleep_until(*polled_ + std::chrono::duration_cast<Clock::duration>(Seconds(pace)));
    json seen = reload(hold);
    polled_ = seen["status"] == "ai" ? std::optional<Clock::time_point>(Clock::now()) : std::nullopt;
    return seen;
  }

  // decide asks choose for a move, and saves it before anybody hears of it.
  void decide(const json &seen) {
    json move;
    try {
      move = choose(seen);
    } catch (const std::exception &err) {
      throw Stop(Exit::broken, std::string("choose() failed: ") + plain(err.what()));
    }
    const json &legal = seen["legalMoves"];
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) throw Stop(Exit::broken, "choose() gave " + plain(dump(move)) + ", which is not legal");
    json payload = {{"revision", seen["revision"]}, {"moveId", uuid()}};
    if (move.is_object() && move.size() == 2 && move.contains("row") && move.contains("col")) {
      payload["row"] = move["row"];
      payload["col"] = move["col"];
    } else {
      payload["action"] = move;
    }
    state_.save("move", payload);
  }

  // submit sends the saved move, the same bytes however often. Nothing where the position is not the one that it was for.
  std::optional<json> submit() {
    const json payload = state_["move"];
    Answer answer = api_.call(path() + "/moves", &payload);
    if (answer.status == 409) {
      say("the move was not taken: " + complaint(answer.text));
      state_.save("move", nullptr);
      return std::nullopt;
    }
    if (answer.status == 422) {
      state_.save("move", nullptr);
      throw Stop(Exit::broken, "the server refused the move: " + complaint(answer.text));
    }
    json seen = observation(std::move(answer));
    state_.save("move", nullptr);
    return seen;
  }

  // observation gives the body of an answer that is one.
  static json observation(Answer answer) {
    const std::string says = std::to_string(answer.status) + " " + (answer.good() ? "" : complaint(answer.text));
    if (answer.status == 401 || answer.status == 403) throw Stop(Exit::key, "the server refused the key: " + says);
    if (!answer.good()) throw Stop(Exit::strange, "the server says " + says);
    json &seen = answer.body;
    const std::string status = string_at(seen, "status");
    bool good = status == "agent" || status == "ai" || status == "completed" || status == "expired" || status == "failed";
    if (status == "agent") {
      good = seen.contains("revision") && seen["revision"].is_number_integer() && seen.contains("legalMoves") && seen["legalMoves"].is_array() &&
             !seen["legalMoves"].empty();
    }
    if (!good) throw Stop(Exit::strange, "the server's answer is no observation");
    return std::move(seen);
  }

  Api &api_;
  State &state_;
  bool held_ = false;                         // the server holds polls, so that they need no pause
  std::optional<Clock::time_point> polled_;  // when the last poll that was told "ai" ended
};
