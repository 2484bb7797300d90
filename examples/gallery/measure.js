// Measures every picture of the page as the browser has laid it out, and leaves a report in its place.
"use strict";

// slack is how far beyond an edge something may be, in pixels.
const slack = 0.6;

function luminance(color) {
  const parts = color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const linear = parts.map((p) => (p / 255 <= 0.03928 ? p / 255 / 12.92 : ((p / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// contrast is that of WCAG 2.1.
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

// visible is where an element is, cut to the nested picture that clips it, if there is one.
function visible(element, root) {
  const r = element.getBoundingClientRect();
  const box = { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
  const clip = element.ownerSVGElement;
  if (clip !== root) {
    const m = clip.parentNode.getScreenCTM();
    const [x, y] = [clip.x.baseVal.value, clip.y.baseVal.value];
    box.left = Math.max(box.left, m.a * x + m.e);
    box.right = Math.min(box.right, m.a * (x + clip.width.baseVal.value) + m.e);
    box.top = Math.max(box.top, m.d * y + m.f);
    box.bottom = Math.min(box.bottom, m.d * (y + clip.height.baseVal.value) + m.f);
  }
  return box;
}

function measure(div) {
  const root = div.querySelector("svg");
  const whole = root.getBoundingClientRect();
  const result = { name: div.dataset.name, theme: div.dataset.theme, width: whole.width, texts: 0, shapes: 0, faults: [], paints: [] };
  const below = []; // what was painted so far, with its color
  const written = [];
  for (const e of root.querySelectorAll("rect, circle, line, path, text")) {
    const style = getComputedStyle(e);
    result.paints.push(style.fill + " " + style.stroke);
    const box = visible(e, root);
    const what = e.tagName + " " + (e.textContent || e.outerHTML.slice(0, 60));
    if (box.left < whole.left - slack || box.right > whole.right + slack || box.top < whole.top - slack || box.bottom > whole.bottom + slack) {
      result.faults.push(what + " is outside");
    }
    if (e.tagName !== "text") {
      result.shapes++;
      if (style.fill !== "none" && e.tagName !== "path") {
        below.push({ box, color: style.fill });
      }
      continue;
    }
    result.texts++;
    const pixels = parseFloat(style.fontSize) * e.getScreenCTM().a;
    if (pixels < 9.99) {
      result.faults.push(what + " has " + pixels.toFixed(2) + " pixels");
    }
    if (!(e.getComputedTextLength() > 0)) {
      result.faults.push(what + " is empty");
      continue;
    }
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const ground = below.findLast((b) => b.box.left <= x && x <= b.box.right && b.box.top <= y && y <= b.box.bottom);
    const ratio = contrast(style.fill, ground ? ground.color : "rgb(255, 255, 255)");
    if (ratio < 3.5) {
      result.faults.push(what + " has a contrast of " + ratio.toFixed(2));
    }
    const height = (box.bottom - box.top) / 5; // what a line leaves empty above and below its letters
    for (const other of written) {
      if (box.left + 1 < other.box.right && other.box.left + 1 < box.right && box.top + height < other.box.bottom - height && other.box.top + height < box.bottom - height) {
        result.faults.push(what + " lies over " + other.what);
      }
    }
    written.push({ box, what });
  }
  return result;
}

const report = {
  pictures: Array.from(document.querySelectorAll("div"), measure),
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
};
const bytes = new TextEncoder().encode(JSON.stringify(report));
const pre = document.createElement("pre");
pre.id = "report";
pre.textContent = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
document.body.replaceChildren(pre);
