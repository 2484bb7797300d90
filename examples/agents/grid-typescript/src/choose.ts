import type { Move, Observation } from "./protocol.js";

/** Gives one of observation.legalMoves. Replace this with your solver; it may be asynchronous. */
export function choose(observation: Observation): Move | Promise<Move> {
  return observation.legalMoves[0]!;
}
