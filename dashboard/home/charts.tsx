import { pointsOf, type Day } from './days.ts'

const width = 280
const height = 72
/** The width of a bar as a fraction of its day. */
const barWidth = 0.62

interface ChartProps {
  days: readonly Day[]
  /** A sentence that describes the chart for screen readers. */
  label: string
}

/** One bar per day. The upper part of each bar counts unanswered searches. */
export function DayBars({ days, label, titleOf }: ChartProps & { titleOf: (day: Day) => string }) {
  const max = Math.max(1, ...days.map(({ searches }) => searches))
  const step = width / days.length
  const size = (searches: number): number => (searches / max) * height
  return (
    <svg className="home-chart" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {days.map((day, index) => {
        const [x, barStep] = [(index + (1 - barWidth) / 2) * step, step * barWidth]
        return (
          <g key={day.day}>
            <title>{titleOf(day)}</title>
            <rect className="ground" x={index * step} y={0} width={step} height={height} />
            <rect className="answered" x={x} y={height - size(day.searches)} width={barStep} height={size(day.searches)} />
            <rect className="unanswered" x={x} y={height - size(day.searches)} width={barStep} height={size(day.unanswered)} />
          </g>
        )
      })}
      <Floor />
    </svg>
  )
}

/** Plots the median and the 95th percentile of each day with searches. */
export function DayLines({ days, label }: ChartProps) {
  const area = { width, height, max: Math.max(...days.map(({ p95Ms }) => p95Ms)) }
  return (
    <svg className="home-chart" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      <Line className="slowest" points={pointsOf(days, ({ p95Ms }) => p95Ms, area)} />
      <Line className="median" points={pointsOf(days, ({ p50Ms }) => p50Ms, area)} />
      <Floor />
    </svg>
  )
}

/** Draws a line with a dot at each point. The dots are lines of zero length, so that a single point is visible too. */
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
