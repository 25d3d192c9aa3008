import { Text } from '@mantine/core'

/** An error of another system: what it means, and its own text for operators on request. */
export function RawError({ summary, error, label }: { summary: string; error: string; label: string }) {
  return (
    <Text size="sm" component="div" className="wrap">
      {summary}
      <details>
        <Text component="summary" size="xs" py={4}>
          {label}
        </Text>
        <Text size="xs" ff="monospace" className="wrap">
          {error}
        </Text>
      </details>
    </Text>
  )
}
