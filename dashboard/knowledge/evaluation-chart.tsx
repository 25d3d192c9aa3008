import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Box } from '@mantine/core'
import { dayOf, exactTime, percent } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import type { Evaluation } from './records.ts'
import { knowledgeMessages } from './messages.ts'

/** Plots recall and MRR from the first run to the last. The table below has the same numbers. */
export default function EvaluationChart({ evaluations }: { evaluations: readonly Evaluation[] }) {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const runs = evaluations
    .filter(({ status }) => status === 'completed')
    .toReversed()
    .map(({ createdAt, recall, mrr }, index) => ({ run: `${index + 1}`, when: exactTime(createdAt), day: dayOf(createdAt), recall, mrr }))
  return (
    <Box role="img" aria-label={words.chart}>
      <LineChart
        h={240}
        data={runs}
        dataKey="when"
        series={[
          { name: 'recall', label: words.recall, color: 'pine.7' },
          { name: 'mrr', label: words.mrr, color: 'blue.7' },
        ]}
        yAxisProps={{ domain: [0, 1] }}
        valueFormatter={percent}
        curveType="linear"
        withLegend
        lineChartProps={{ accessibilityLayer: false }}
      />
    </Box>
  )
}
