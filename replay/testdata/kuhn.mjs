// Kuhn poker (H. W. Kuhn, 1950) as the tests have it in Go: a deal by chance, then bets.

const DEALS = ['JQ', 'JK', 'QJ', 'QK', 'KJ', 'KQ'];
const OVER = ['kk', 'bc', 'bf', 'kbc', 'kbf'];

export function kuhn() {
  let deal = '';
  let bets = '';
  const legal = () => {
    if (deal === '') return DEALS;
    return bets.endsWith('b') ? ['call', 'fold'] : ['check', 'bet'];
  };
  return {
    seats: 2, least: -2, greatest: 2, zeroSum: true,
    turn() {
      if (deal === '') return ['chance'];
      return OVER.includes(bets) ? [] : [bets.length % 2];
    },
    chances: () => DEALS.map((d) => JSON.stringify(d)),
    play(seat, action) {
      if (action.kind !== 'string' || !legal().includes(action.text)) throw new Error('no such move');
      if (seat === 'chance') deal = action.text;
      else bets += action.text === 'check' ? 'k' : action.text[0];
    },
    outcome() {
      if (bets.endsWith('f')) return { reason: 'fold', ret: bets === 'bf' ? [1, -1] : [-1, 1] };
      const stake = bets.endsWith('c') ? 2 : 1;
      const won = 'JQK'.indexOf(deal[0]) > 'JQK'.indexOf(deal[1]) ? stake : -stake;
      return { reason: 'showdown', ret: [won, -won] };
    },
  };
}
