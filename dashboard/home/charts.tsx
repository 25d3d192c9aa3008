import { pointsOf, type Day } from './days.ts'

const width = 280
const height = 72
/** Of a bar, in its day. */
const share = 0.62

interface ChartProps {
  days: readonly Day[]
  /** What it shows, in a sentence. */
  label: string
}

/** A bar a day; its upper part are searches without a good answer. */
export function DayBars({ days, label, titleOf }: ChartProps & { titleOf: (day: Day) => string }) {
  const most = Math.max(1, ...days.map(({ searches }) => searches))
  const step = width / days.length
  const size = (searches: number): number => (searches / most) * height
  return (
    <svg className="home-chart" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {days.map((day, index) => {
        const [x, wide] = [(index + (1 - share) / 2) * step, step * share]
        return (
          <g key={day.day}>
            <title>{titleOf(day)}</title>
            <rect className="ground" x={index * step} y={0} width={step} height={height} />
            <rect className="answered" x={x} y={height - size(day.searches)} width={wide} height={size(day.searches)} />
            <rect className="unanswered" x={x} y={height - size(day.searches)} width={wide} height={size(day.unanswered)} />
          </g>
        )
      })}
      <Floor />
    </svg>
  )
}

/** Median and 95th percentile of each day with a search. */
export function DayLines({ days, label }: ChartProps) {
  const field = { width, height, most: Math.max(...days.map(({ p95Ms }) => p95Ms)) }
  return (
    <svg className="home-chart" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      <Line className="slowest" points={pointsOf(days, ({ p95Ms }) => p95Ms, field)} />
      <Line className="median" points={pointsOf(days, ({ p50Ms }) => p50Ms, field)} />
      <Floor />
    </svg>
  )
}

/** A line of no length at each point shows as a dot, also where there is only one. */
function Line({ className, points }: { className: string; points: readonly { x: number; y: number }[] }) {
  return (
    <g className={`home-line ${className}`}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ x, y }) => (
        <line key={x} className="dot" x1={x} x2={x} y1={y} y2={y} />
      ))}
    </g>
  )
}

const Floor = () => <line className="floor" x1={0} x2={width} y1={height} y2={height} />
