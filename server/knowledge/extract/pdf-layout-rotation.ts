import type { ParsedPage } from '@llamaindex/liteparse'

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns the rotation of a text to the nearest right angle: 0, 1, 2 or 3 quarters, clockwise. */
export function quarters(rotation = 0): number {
  return ((Math.round(rotation / 90) % 4) + 4) % 4
}

/** Returns a page whose text is mostly rotated so that this text is upright, and other pages unchanged. */
export function upright(page: ParsedPage): ParsedPage {
  const characters = [0, 1, 2, 3].map((turns) =>
    page.textItems.reduce((sum, { text, rotation }) => sum + (quarters(rotation) === turns ? text.length : 0), 0),
  )
  const turned = characters.indexOf(Math.max(...characters))
  if (turned === 0) return page
  const { width, height } = page
  const turn = <R extends Rectangle>(box: R): R => {
    const { x, y } = box
    if (turned === 2) return { ...box, x: width - x - box.width, y: height - y - box.height }
    const size = { width: box.height, height: box.width }
    return turned === 3 ? { ...box, ...size, x: height - y - box.height, y: x } : { ...box, ...size, x: y, y: width - x - box.width }
  }
  return {
    ...page,
    ...(turned !== 2 && { width: height, height: width }),
    textItems: page.textItems.map((item) => ({
      ...turn(item),
      rotation: (item.rotation ?? 0) - turned * 90,
      ...(item.words && { words: item.words.map(turn) }),
    })),
    ...(page.vectorGraphics && {
      vectorGraphics: {
        shapes: page.vectorGraphics.shapes.map((shape) => ({ ...shape, bbox: turn(shape.bbox) })),
        lines: page.vectorGraphics.lines.map((line) => {
          const box = turn({
            x: Math.min(line.x1, line.x2),
            y: Math.min(line.y1, line.y2),
            width: Math.abs(line.x1 - line.x2),
            height: Math.abs(line.y1 - line.y2),
          })
          return { ...line, x1: box.x, y1: box.y, x2: box.x + box.width, y2: box.y + box.height }
        }),
      },
    }),
  }
}
