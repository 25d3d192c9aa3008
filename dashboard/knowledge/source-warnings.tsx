import { Alert, Text } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { knowledgeMessages } from './messages.ts'
import { warningMessage } from './warning-messages.ts'

/** The warnings of a knowledge base, a source or a preview; nothing without one. */
export function SourceWarnings({ warnings }: { warnings: readonly string[] }) {
  const messages = useMessages(knowledgeMessages)
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" title={messages.source.warnings}>
      {[...new Set(warnings.map(warningMessage))].map((warning) => (
        <Text key={warning} size="sm" className="wrap">
          {warning}
        </Text>
      ))}
    </Alert>
  )
}
