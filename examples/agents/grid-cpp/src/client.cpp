// Plays one match of the Grid arena by polling. C++17, libcurl, nlohmann-json. The same command again goes on with the match after a kill, a
// crash or a restart. Put your solver into choose.hpp.
//
//   g++ -std=c++17 -O2 client.cpp -lcurl -o client
//   LINESCLASH_BASE=https://arena.example LINESCLASH_KEY=... ./client --state my-match.json --opponent hell_v2

#include <cstdlib>
#include <iostream>

#include "api.hpp"
#include "common.hpp"
#include "match.hpp"
#include "state.hpp"

namespace {

const char *const help =
    "usage: client --state FILE --opponent NAME [options]\n"
    "  --state FILE        where the match is kept; a new file begins a new match\n"
    "  --opponent NAME     casual, smart, hard, experimental, normal_nightmare, hell_v2 or hell_v3\n"
    "  --seat 0|1          0 begins (default)\n"
    "  --control NAME      production (default): 30 s for a move; or untimed\n"
    "  --name NAME         shown beside the result\n"
    "  --game NAME         another game than the server's first one\n"
    "  --timeout SECONDS   for one request (default 10)\n"
    "  --patience SECONDS  longest wait for a server that cannot answer (default 900)\n";

struct Options {
  std::string state, opponent, seat = "0", control = "production", name = "My solver", game, timeout = "10", patience = "900";

  double seconds(const std::string &text, double low, double high) const {
    char *end = nullptr;
    const double n = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !(n >= low && n <= high)) {
      throw Stop(Exit::usage, "--timeout is over 0 and up to 3600, --patience from 0 to 86400");
    }
    return n;
  }
};

Options parse(int argc, char **argv) {
  Options o;
  const std::map<std::string, std::string Options::*> known = {
      {"--state", &Options::state}, {"--opponent", &Options::opponent}, {"--seat", &Options::seat},       {"--control", &Options::control},
      {"--name", &Options::name},   {"--game", &Options::game},         {"--timeout", &Options::timeout}, {"--patience", &Options::patience},
  };
  for (int i = 1; i < argc; i++) {
    std::string name = argv[i], value;
    if (name == "--help" || name == "-h") {
      std::cout << help;
      std::exit(0);
    }
    const auto equals = name.find('=');
    const auto found = known.find(name.substr(0, equals));
    if (found == known.end()) throw Stop(Exit::usage, "what is " + plain(name) + "?\n" + help);
    if (equals != std::string::npos) {
      value = name.substr(equals + 1);
    } else if (++i < argc) {
      value = argv[i];
    } else {
      throw Stop(Exit::usage, name + " needs a value");
    }
    o.*found->second = value;
  }
  if (o.state.empty() || o.opponent.empty()) throw Stop(Exit::usage, help);
  if (o.seat != "0" && o.seat != "1") throw Stop(Exit::usage, "--seat is 0 or 1");
  if (o.control != "production" && o.control != "untimed") throw Stop(Exit::usage, "--control is production or untimed");
  return o;
}

struct FreeUrl {
  void operator()(CURLU *u) const { curl_url_cleanup(u); }
};

// part gives a part of an address, "" where it has none.
std::string part(CURLU *url, CURLUPart what) {
  char *text = nullptr;
  if (curl_url_get(url, what, &text, 0) != CURLUE_OK) return "";
  std::string s = text;
  curl_free(text);
  return s;
}

// environment gives base and key, which come from nowhere else: arguments can be seen by other users of the machine.
std::pair<std::string, std::string> environment() {
  const char *b = std::getenv("LINESCLASH_BASE"), *k = std::getenv("LINESCLASH_KEY");
  std::string base = b ? b : "", key = k ? k : "";
  while (!base.empty() && base.back() == '/') base.pop_back();
  std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  const bool good = url && curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) == CURLUE_OK;
  const std::string scheme = good ? part(url.get(), CURLUPART_SCHEME) : "", host = good ? part(url.get(), CURLUPART_HOST) : "";
  if ((scheme != "http" && scheme != "https") || host.empty() || base.find_first_of("@?#") != std::string::npos) {
    throw Stop(Exit::usage, "LINESCLASH_BASE has to be the server's address, as https://arena.example");
  }
  if (scheme == "http" && host != "127.0.0.1" && host != "[::1]" && host != "localhost") {
    throw Stop(Exit::usage, "LINESCLASH_BASE has to be https: the key would travel in clear");
  }
  const bool printable = std::all_of(key.begin(), key.end(), [](char c) { return c >= '!' && c <= '~'; });
  if (key.empty() || key.size() > 512 || !printable) throw Stop(Exit::usage, "LINESCLASH_KEY has to be your key");
  return {base, key};
}

// report prints how the match ended, and gives the exit status.
int report(const json &state) {
  const json &over = state.at("over"), &seat = over.at("seat"), &scores = over.at("scores");
  const std::string id = state.at("matchId");
  std::cout << "match " << id << " against " << plain(state.at("create").at("opponent").get<std::string>()) << ", seat " << plain(dump(seat)) << "\n";
  if (over.at("status") != "completed") {
    const json &why = over.at("reason");
    std::cout << plain(over.at("status").get<std::string>()) << ": " << (why.is_string() ? plain(why.get<std::string>()) : "no reason given") << "\n";
    return Exit::no_game;
  }
  std::string result = plain(dump(scores));
  const bool pair = scores.is_array() && scores.size() == 2 && scores[0].is_number_integer() && scores[1].is_number_integer();
  if (pair && (seat == 0 || seat == 1)) {
    const std::int64_t mine = scores[seat.get<std::size_t>()], theirs = scores[1 - seat.get<std::size_t>()];
    result = std::string(mine > theirs ? "won " : mine < theirs ? "lost " : "draw ") + std::to_string(mine) + "-" + std::to_string(theirs);
  }
  std::cout << "completed: " << result << "\n";
  std::cout << "replay: " << state.at("base").get<std::string>() << "/api/benchmarks/replays/" << id << "\n";
  return 0;
}

int run(int argc, char **argv) {
  const Options o = parse(argc, argv);
  const double timeout = o.seconds(o.timeout, 0.001, 3600), patience = o.seconds(o.patience, 0, 86400);
  const auto [base, key] = environment();
  json create = {{"opponent", o.opponent}, {"name", o.name}, {"agentSeat", o.seat == "1" ? 1 : 0}, {"control", o.control}};
  if (!o.game.empty()) create["game"] = o.game;
  create["requestId"] = uuid();
  State state(o.state, base, create);
  state.load();
  if (state["over"].is_null()) {
    Api api(state, key, timeout, patience);
    Match(api, state).play();
  }
  return report(state.all());
}

}  // namespace

int main(int argc, char **argv) {
  try {
    const CurlLibrary library;
    return run(argc, argv);
  } catch (const Stop &stop) {
    say(stop.what());
    return stop.status;
  } catch (const std::exception &err) {
    say(std::string("broken: ") + plain(err.what()));
    return Exit::broken;
  }
}
