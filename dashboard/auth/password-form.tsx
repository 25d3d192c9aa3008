import { Anchor, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm } from '../shell/form.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { PasswordField } from './password-field.tsx'
import { sessionsKey } from './session-list.ts'
import { setupQuery } from './setup-query.ts'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

const empty = { currentPassword: '', newPassword: '' }

export function PasswordForm() {
  const messages = useMessages(accountMessages)
  const queries = useQueryClient()
  const form = useForm(empty)
  const attempt = useAttempt(async () => {
    await askAuth('/change-password', form.values)
    form.reset()
    notifySuccess(messages.account.changed)
    await queries.invalidateQueries({ queryKey: sessionsKey })
  })
  const host = useQuery(setupQuery).data?.oidcHost ?? null
  return (
    <AuthForm
      onSubmit={() => void attempt.run()}
      attempt={attempt}
      fields={['password', 'newPassword']}
      action={messages.account.change}
      inline
    >
      <PasswordField
        label={messages.account.currentPassword}
        value={form.values.currentPassword}
        onChange={(password) => form.set('currentPassword', password)}
        error={attempt.errorOf('password')}
      />
      <PasswordField
        label={messages.newPassword}
        description={messages.passwordHelp}
        value={form.values.newPassword}
        onChange={(password) => form.set('newPassword', password)}
        error={attempt.errorOf('newPassword')}
        isNew
      />
      {host !== null && (
        <Text size="sm">
          {messages.account.noPassword(host)}{' '}
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...props} to="/forgot-password" />}>
            {messages.account.setPassword}
          </Anchor>
        </Text>
      )}
    </AuthForm>
  )
}
