import { useQuery } from '@tanstack/react-query'
import { sourceChoicesQuery } from '../lib/choices.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { isolated, useMessages } from '../messages/messages.ts'
import type { Question } from './records.ts'
import { knowledgeMessages } from './messages.ts'

interface ExpectedProps {
  baseId: string
  expectation: Pick<Question, 'expectedText' | 'expectedSourceIds'>
}

/** Names the answer that a question expects: a text, the names of sources, or both. */
export function Expected({ baseId, expectation: { expectedText, expectedSourceIds } }: ExpectedProps) {
  const { evaluation: words } = useMessages(knowledgeMessages)
  const { data: sources = [] } = useQuery(sourceChoicesQuery(useWorkspace(), baseId))
  const names = expectedSourceIds.map((id) => sources.find((source) => source.id === id)?.name ?? id)
  if (expectedText !== null)
    return names.length === 0 ? words.quoted(expectedText) : words.quotedIn(expectedText, names.map(isolated).join(', '))
  return names.length === 0 ? words.sourceDeleted : words.anyPassageOf(names.map(isolated).join(', '))
}
