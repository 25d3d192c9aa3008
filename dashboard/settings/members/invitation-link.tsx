import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useWorkspace, type Workspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { CopyableCode } from '../../shell/copyable-code.tsx'
import { Loaded, SkeletonRows } from '../../shell/states.tsx'
import { mailsKey, systemQuery } from '../system/queries.ts'
import { memberMessages } from './messages.ts'

/** Without a mail server, messages are only stored, so the link in them can be read. With one, only the recipient gets it. */
export function useMailsAreStored(): boolean {
  const workspace = useWorkspace()
  const { data } = useQuery({ ...systemQuery(workspace), enabled: mayKnow(workspace) })
  return data?.mail.kind === 'files'
}

/** Returns a function that waits for the same answer, for what follows an invitation that was sent before the page knew it. */
export function useAskMailsAreStored(): () => Promise<boolean> {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  return async () => mayKnow(workspace) && (await queries.ensureQueryData(systemQuery(workspace))).mail.kind === 'files'
}

const mayKnow = ({ organization }: Workspace): boolean => organization.scopes.includes('organization:read')

/** The link is in the newest invitation to the address; the server stores only the hash of its token. */
const linkQuery = (workspace: Workspace, email: string) =>
  queryOptions({
    queryKey: [...mailsKey(workspace), 'invitation', email],
    queryFn: async ({ signal }) => {
      const { data } = await workspace.client.mails.list({ limit: 50 }, { signal }).page()
      const mail = data.find(({ kind, to }) => kind === 'invitation' && to === email)
      return /https?:\S+\/app\/invitation#\S+/.exec(mail?.text ?? '')?.[0] ?? null
    },
    staleTime: 0,
    gcTime: 0,
  })

/** Shows the link of an invitation that was just made. */
export function InvitationLink({ email, onClose }: { email: string; onClose: () => void }) {
  const messages = useMessages(memberMessages)
  const { close } = useMessages(sharedMessages)
  const query = useQuery(linkQuery(useWorkspace(), email))
  return (
    <Modal opened onClose={onClose} title={messages.linkTitle(email)} size="lg" closeButtonProps={{ 'aria-label': close }}>
      <Stack>
        <Loaded query={query} skeleton={<SkeletonRows rows={1} />}>
          {(link) =>
            link === null ? (
              <Text size="sm">{messages.noLink}</Text>
            ) : (
              <>
                <Text size="sm">{messages.linkHelp}</Text>
                <CopyableCode name={messages.link} code={link} />
              </>
            )
          }
        </Loaded>
        <Group justify="flex-end">
          <Button onClick={onClose}>{messages.linkDone}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
