#pragma once

#include "common.hpp"

// choose gives one of observation["legalMoves"]. Replace this with your solver. The observation is what the server sent: board, seat, scores,
// history, remainingMs and so on.
inline json choose(const json &observation) { return observation.at("legalMoves").at(0); }
