import type { Contact, ConsentChange } from '@groundwork/api'
import { Box, Modal, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { exactTime } from '../lib/formats.ts'
import { rowsOf } from '../lib/pages.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { MoreButton } from '../shell/more-button.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { consentHistoryQuery } from './queries.ts'
import { contactMessages } from './messages.ts'

/** All entries of the consent of a contact, newest first, with the authors. */
export function ConsentHistory({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { consent: messages } = useMessages(contactMessages)
  const { close } = useMessages(sharedMessages)
  const query = useInfiniteQuery(consentHistoryQuery(useWorkspace(), contact.id))
  return (
    <Modal opened onClose={onClose} title={messages.history} size="lg" closeButtonProps={{ 'aria-label': close }}>
      <Stack>
        <Loaded query={query} skeleton={<SkeletonRows rows={3} />}>
          {(data) =>
            rowsOf(data).length === 0 ? (
              <Text c="dimmed">{messages.noHistory}</Text>
            ) : (
              <Stack component="ol" gap="sm" m={0} p={0} className="plain-list">
                {rowsOf(data).map((change) => (
                  <Entry key={change.id} change={change} />
                ))}
              </Stack>
            )
          }
        </Loaded>
        <MoreButton query={query} className="at-start" />
      </Stack>
    </Modal>
  )
}

function Entry({ change }: { change: ConsentChange }) {
  const { consent: messages, history } = useMessages(contactMessages)
  const { channel, state, createdBy, createdAt, reference } = change
  return (
    <Box component="li" className="wrap">
      <Text>{messages.entry(messages.channels[channel], messages.states[state])}</Text>
      <ConsentEvidence change={change} />
      <Text size="sm" c="dimmed">
        {messages.recordedBy[recordedIn(reference)](createdBy.name ?? history.unknown, exactTime(createdAt))}
      </Text>
    </Box>
  )
}

const recordedIn = (reference: string | null): 'single' | 'import' | 'bulk' =>
  reference === null ? 'single' : reference.startsWith('imp_') ? 'import' : 'bulk'

/** The time, the source and the wording of a consent. @param maxLines of the wording; all without it */
export function ConsentEvidence({ change: { at, source, wording }, maxLines }: { change: ConsentChange; maxLines?: number }) {
  const { consent: messages } = useMessages(contactMessages)
  return (
    <>
      <Text size="sm" c="dimmed" className="wrap">
        {source === null ? exactTime(at) : messages.timeAndSource(exactTime(at), source)}
      </Text>
      {wording !== null && (
        <Text size="sm" className="wrap" dir="auto" {...(maxLines !== undefined && { lineClamp: maxLines })}>
          {messages.quoted(wording)}
        </Text>
      )}
    </>
  )
}
