/** The contrast that WCAG 2.2 requires between normal text and its background. */
const minContrast = 4.5

/**
 * Returns the color, or the lightest darker shade of it on which white text is readable.
 * @param color `#rrggbb`
 */
export function readableColor(color: string): string {
  const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  for (let percent = 100; percent > 0; percent--) {
    const shade = channels.map((channel) => Math.round((channel * percent) / 100))
    if (contrastWithWhite(shade) >= minContrast) return `#${shade.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  }
  return '#000000'
}

/** Returns the contrast ratio of a color and white, from 1 to 21 (WCAG 2.2). */
function contrastWithWhite(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
