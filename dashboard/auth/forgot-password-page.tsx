import { Anchor, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

export function ForgotPasswordPage() {
  const messages = useMessages(accountMessages)
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const attempt = useAttempt(async () => {
    await askAuth('/request-password-reset', { email })
    setSent(true)
  })
  return (
    <AuthFrame title={messages.forgot.title} about={messages.forgot.about}>
      {sent ? (
        <Text role="status">{messages.forgot.sent}</Text>
      ) : (
        <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['email']} action={messages.forgot.action}>
          <TextInput
            type="email"
            label={messages.email}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={attempt.errorOf('email')}
            autoComplete="username"
            required
          />
        </AuthForm>
      )}
      <Anchor size="sm" display="inline-block" pt="md" renderRoot={(props) => <Link {...props} to="/sign-in" />}>
        {messages.toSignIn}
      </Anchor>
    </AuthFrame>
  )
}
