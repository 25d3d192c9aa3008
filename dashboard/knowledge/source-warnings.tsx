import { Alert, Text } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { knowledgeMessages } from './messages.ts'

/** The warnings of a source or of a preview, in the words of the server; nothing without one. */
export function SourceWarnings({ warnings }: { warnings: readonly string[] }) {
  const messages = useMessages(knowledgeMessages)
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" title={messages.source.warnings}>
      {warnings.map((warning) => (
        <Text key={warning} size="sm" className="wrap">
          {warning}
        </Text>
      ))}
    </Alert>
  )
}
