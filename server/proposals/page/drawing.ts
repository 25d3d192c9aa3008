import { z } from 'zod'

const maxPoints = 10_000
const coordinate = z.number().min(-10_000).max(10_000)
const Drawing = z.strictObject({
  width: z.number().min(50).max(4000),
  height: z.number().min(20).max(4000),
  strokes: z
    .array(
      z
        .array(z.tuple([coordinate, coordinate]))
        .min(1)
        .max(maxPoints),
    )
    .min(1)
    .max(500),
})

const svgWidth = 600

/**
 * Returns a drawn signature as SVG, made from nothing but the posted coordinates; undefined if they are not a drawing of at
 * least two points.
 * @param posted JSON of the size of the canvas and of the points of each stroke
 */
export function drawingToSvg(posted: string): string | undefined {
  const parsed = Drawing.safeParse(parseJson(posted))
  if (!parsed.success) return undefined
  const { width, height, strokes } = parsed.data
  const count = strokes.reduce((sum, stroke) => sum + stroke.length, 0)
  if (count < 2 || count > maxPoints) return undefined
  const scale = svgWidth / width
  const path = strokes.map((stroke) => pathOf(stroke, { width, height, scale })).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${svgWidth} ${Math.round(height * scale)}"><path d="${path}" fill="none" stroke="#111" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}

/** A stroke of one point is a line of no length, which round ends show as a dot. */
function pathOf(stroke: readonly [number, number][], { width, height, scale }: { width: number; height: number; scale: number }): string {
  const points = stroke.map(([x, y]) => `${round(clamp(x, width) * scale)} ${round(clamp(y, height) * scale)}`)
  return points.length === 1 ? `M${points[0]}h0` : `M${points.join('L')}`
}

const clamp = (value: number, limit: number): number => Math.min(Math.max(value, 0), limit)
const round = (value: number): number => Math.round(value * 10) / 10

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Refused like every other text that is not a drawing.
    return undefined
  }
}
