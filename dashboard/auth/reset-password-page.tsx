import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import { goTo, useTokenInAddress } from './addresses.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function ResetPasswordPage() {
  const messages = useMessages(accountMessages)
  const token = useTokenInAddress()
  const [newPassword, setNewPassword] = useState('')
  const attempt = useAttempt(
    async () => {
      await askAuth('/reset-password', { newPassword, token })
      goTo('/app/sign-in?reset=true')
    },
    { token },
  )
  return (
    <AuthFrame title={messages.reset.title} about={messages.reset.about}>
      {token === '' ? (
        <Text>{messages.reset.noToken}</Text>
      ) : (
        <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['newPassword']} action={messages.reset.action}>
          <PasswordField
            label={messages.newPassword}
            description={messages.passwordHelp}
            value={newPassword}
            onChange={setNewPassword}
            error={attempt.errorOf('newPassword')}
            isNew
          />
        </AuthForm>
      )}
      <Anchor size="sm" display="inline-block" pt="md" renderRoot={(props) => <Link {...props} to="/forgot-password" />}>
        {messages.reset.again}
      </Anchor>
    </AuthFrame>
  )
}
