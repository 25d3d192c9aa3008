import { Group, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { dayOf, number } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { DayBars, DayLines } from './charts.tsx'
import { everyDay, type Day } from './days.ts'
import type { Overview } from './queries.ts'
import { homeMessages } from './messages.ts'

const shownDays = 14

/** Shows recent searches: their number, the unanswered ones and their duration. */
export function Searches({ searches: { days: known } }: { searches: NonNullable<Overview['searches']> }) {
  const { searches: words } = useMessages(homeMessages)
  const days = everyDay(known, { count: shownDays, now: Date.now() })
  const total = days.reduce((sum, { searches }) => sum + searches, 0)
  const unanswered = days.reduce((sum, day) => sum + day.unanswered, 0)
  return (
    <Paper component="section" withBorder p="md" className="home-charts" aria-labelledby="searches">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="searches">
          {words.title}
        </Title>
        <Text size="xs" c="dimmed">
          {words.lastDays(shownDays)}
        </Text>
      </Group>
      {total === 0 ? (
        <Text size="sm" c="dimmed" my="auto" ta="center" px="md">
          {words.none}
        </Text>
      ) : (
        <>
          <Text size="sm" mt={4}>
            {words.total(total)}
            <Text span c="dimmed">
              {' · '}
              {words.unansweredCount(unanswered)}
            </Text>
          </Text>
          <PerDay days={days} />
          <Durations days={days} />
          <NumbersTable days={days.filter(({ searches }) => searches > 0)} />
        </>
      )}
    </Paper>
  )
}

function PerDay({ days }: { days: readonly Day[] }) {
  const { searches: words } = useMessages(homeMessages)
  const busiest = days.reduce((max, day) => (day.searches > max.searches ? day : max))
  return (
    <figure className="home-figure">
      <figcaption>
        <span>{words.perDay}</span>
        <LegendItem color="answered">{words.answered}</LegendItem>
        <LegendItem color="unanswered">{words.unanswered}</LegendItem>
      </figcaption>
      <DayBars
        days={days}
        label={words.chartPerDay(number(busiest.searches), dayOf(busiest.day))}
        titleOf={({ day, searches, unanswered }) => `${dayOf(day)}: ${words.total(searches)}, ${words.unansweredCount(unanswered)}`}
      />
    </figure>
  )
}

function Durations({ days }: { days: readonly Day[] }) {
  const { searches: words } = useMessages(homeMessages)
  const ms = useMs()
  const last = days.findLast(({ searches }) => searches > 0)
  return (
    <figure className="home-figure">
      <figcaption>
        <span>{words.duration}</span>
        <LegendItem color="median">
          {words.median} {last && ms(last.p50Ms)}
        </LegendItem>
        <LegendItem color="slowest">
          {words.p95} {last && ms(last.p95Ms)}
        </LegendItem>
      </figcaption>
      <DayLines days={days} label={last ? words.chartDuration(ms(last.p50Ms), ms(last.p95Ms)) : words.duration} />
      <div className="home-axis" aria-hidden>
        <span>{dayOf(days[0]?.day ?? '')}</span>
        <span>{dayOf(days.at(-1)?.day ?? '')}</span>
      </div>
    </figure>
  )
}

const LegendItem = ({ color, children }: { color: 'answered' | 'unanswered' | 'median' | 'slowest'; children: React.ReactNode }) => (
  <span className={`home-key ${color}`}>{children}</span>
)

/** The numbers of the charts as a table for screen readers. */
function NumbersTable({ days }: { days: readonly Day[] }) {
  const { searches: words } = useMessages(homeMessages)
  const ms = useMs()
  return (
    <VisuallyHidden component="div">
      <table>
        <caption>{words.table}</caption>
        <thead>
          <tr>
            {Object.values(words.columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, searches, unanswered, p50Ms, p95Ms }) => (
            <tr key={day}>
              <th scope="row">{dayOf(day)}</th>
              <td>{number(searches)}</td>
              <td>{number(unanswered)}</td>
              <td>{ms(p50Ms)}</td>
              <td>{ms(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}

function useMs(): (ms: number) => string {
  const { searches: words } = useMessages(homeMessages)
  return (ms) => words.ms(ms.toLocaleString(undefined, { maximumSignificantDigits: 3 }))
}
