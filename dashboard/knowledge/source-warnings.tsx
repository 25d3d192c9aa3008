import { Alert, Text } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { knowledgeMessages } from './messages.ts'

/** How the server begins a warning of a language, after which it names settings that only the operator can change. */
const languageWarning = /^The embedding model \S+ does not know ([^:]+):/

/** The warnings of a knowledge base, a source or a preview; nothing without one. */
export function SourceWarnings({ warnings }: { warnings: readonly string[] }) {
  const messages = useMessages(knowledgeMessages)
  const shown = (warning: string): string => {
    const [, language] = languageWarning.exec(warning) ?? []
    return language === undefined ? warning : messages.source.unknownLanguage(language)
  }
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" title={messages.source.warnings}>
      {warnings.map((warning) => (
        <Text key={warning} size="sm" className="wrap">
          {shown(warning)}
        </Text>
      ))}
    </Alert>
  )
}
