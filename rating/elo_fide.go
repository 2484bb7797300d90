package rating

import "math"

// fideBounds[i] is the largest difference of ratings that article 8.1.2 of the
// FIDE Rating Regulations still gives an expected score of 0.50 + i/100; beyond
// the last it is 1.00. The table is FIDE's own rounding of a normal
// distribution and agrees with no formula in every row.
var fideBounds = [50]int16{
	3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
	76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
	153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
	245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
	374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
}

// fideDifferences[i] is the difference that article 8.1.1 gives for a score of
// 0.50 + i/100.
var fideDifferences = [51]int16{
	0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
	72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
	149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
	240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
	366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
	800,
}

// FIDEExpected is the expected score at a difference d in rating points by the
// table of article 8.1.2, in hundredths. d is rounded to a whole number, halves
// away from 0; NaN counts as 0. It caps nothing: Elo does.
func FIDEExpected(d float64) float64 {
	x := math.Floor(math.Abs(d) + 0.5)
	i := 0
	for i < len(fideBounds) && x > float64(fideBounds[i]) {
		i++
	}
	if d < 0 {
		return float64(50-i) / 100
	}
	return float64(50+i) / 100
}

// FIDEDifference is the difference in rating points that a score in [0, 1]
// stands for by the table of article 8.1.1, from -800 to 800. The score is
// rounded to hundredths, halves upwards, and what is a half but for the rounding
// of a float64 is one: 11.5 points of 20 are 0.58. The error wraps ErrInput.
func FIDEDifference(score float64) (int, error) {
	if err := checkScore(score); err != nil {
		return 0, err
	}
	p := int(math.Floor(float64(score*100) + (0.5 + slack)))
	if p >= 50 {
		return int(fideDifferences[p-50]), nil
	}
	return -int(fideDifferences[50-p]), nil
}
