import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { AuthenticationError, NotFoundError } from '@groundwork/sdk'
import type { InvitationPreview } from '@groundwork/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { worded } from '../lib/errors.ts'
import { sessionClient, type User } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { goTo, useTokenInAddress } from './addresses.ts'
import { rememberAccepted, takeAccepted } from './after-issuer.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { IssuerButton } from './issuer-button.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function InvitationPage() {
  const messages = useMessages(accountMessages)
  const token = useTokenInAddress()
  const query = useQuery({ queryKey: ['invitation', token], queryFn: ({ signal }) => previewInvitation(token, signal) })
  const preview = query.data
  if (preview === 'gone') {
    return (
      <AuthFrame title={messages.invitation.gone}>
        <Text>{messages.invitation.goneHelp}</Text>
      </AuthFrame>
    )
  }
  const about = preview && messages.invitation.about(preview.invitation.email, messages.roles[preview.invitation.role])
  return (
    <AuthFrame title={preview ? messages.invitation.title(preview.invitation.organizationName) : messages.invitation.loading} about={about}>
      <Loaded query={{ ...query, data: preview }} skeleton={<SkeletonRows rows={3} />}>
        {({ invitation, user }) =>
          invitation.userExists ? <AcceptAsUser {...{ token, invitation, user }} /> : <AcceptAsNewUser token={token} />
        }
      </Loaded>
    </AuthFrame>
  )
}

interface Preview {
  invitation: InvitationPreview
  /** The signed-in user, or null; null also if nobody has the invitation’s address yet. */
  user: User | null
}

async function previewInvitation(token: string, signal: AbortSignal): Promise<Preview | 'gone'> {
  const client = sessionClient()
  if (token === '') return 'gone'
  const invitation = await client.invitations.look({ token }, { signal }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return 'gone' as const
    throw error
  })
  if (invitation === 'gone') return invitation
  if (!invitation.userExists) return { invitation, user: null }
  const me = await client.me.get({ signal }).catch((error: unknown) => {
    if (error instanceof AuthenticationError) return null
    throw error
  })
  return { invitation, user: me?.user ?? null }
}

function AcceptAsNewUser({ token }: { token: string }) {
  const messages = useMessages(accountMessages)
  const form = useForm({ name: '', password: '' })
  const attempt = useAttempt(
    async (values: typeof form.values) => {
      await sessionClient()
        .invitations.accept({ ...values, token })
        .catch((error: Error) => Promise.reject(worded(error, { conflict: messages.invitation.hasAccount })))
      form.reset(values)
      goTo('/app/')
    },
    { refuse: form.refuse, token },
  )
  return (
    <Stack>
      <AuthForm
        onSubmit={() => void attempt.run(form.values)}
        attempt={attempt}
        fields={['name', 'password']}
        action={messages.invitation.accept}
      >
        <TextInput label={messages.yourName} {...form.text('name')} autoComplete="name" maxLength={200} required />
        <PasswordField label={messages.password} description={messages.passwordHelp} {...form.field('password')} isNew />
      </AuthForm>
      <IssuerButton onLeave={() => rememberAccepted(token)} />
    </Stack>
  )
}

function AcceptAsUser({ token, invitation, user }: Preview & { token: string }) {
  const { invitation: words, toSignIn } = useMessages(accountMessages)
  const accept = useAttempt(
    async () => {
      await sessionClient()
        .invitations.accept({ token })
        .catch((error: Error) => Promise.reject(worded(error, { conflict: words.isMember })))
      goTo('/app/')
    },
    { token },
  )
  const isInvited = user?.email.toLowerCase() === invitation.email.toLowerCase()
  useEffect(() => {
    if (isInvited && takeAccepted(token)) void accept.run()
  }, [isInvited, token, accept])
  const leave = useAttempt(async () => {
    await askAuth('/sign-out', {})
    goTo(signInAndReturn(token))
  })
  if (user === null) {
    return (
      <Stack>
        <Text>{words.signInFirst}</Text>
        <Button component="a" href={signInAndReturn(token)}>
          {toSignIn}
        </Button>
        <IssuerButton onLeave={() => rememberAccepted(token)} />
      </Stack>
    )
  }
  if (!isInvited) {
    return (
      <Stack>
        <Alert color="yellow">{words.otherUser(user.email)}</Alert>
        <Button loading={leave.pending} onClick={() => void leave.run()}>
          {words.signOut}
        </Button>
      </Stack>
    )
  }
  return (
    <AuthForm onSubmit={() => void accept.run()} attempt={accept} action={words.accept}>
      <Text>{user.name}</Text>
    </AuthForm>
  )
}

const signInAndReturn = (token: string): string => `/app/sign-in?${new URLSearchParams({ next: `/app/invitation#${token}` }).toString()}`
