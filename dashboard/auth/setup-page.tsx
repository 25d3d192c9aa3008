import { Anchor, Text, TextInput } from '@mantine/core'
import { ConflictError } from '@groundwork/sdk'
import { useState } from 'react'
import { sessionClient } from '../lib/session.ts'
import { useForm } from '../shell/form.ts'
import { useWords } from '../words/words.ts'
import { goTo, tokenInAddress } from './addresses.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

export function SetupPage() {
  const words = useWords(authWords)
  const [token] = useState(tokenInAddress)
  const form = useForm({ name: '', email: '', password: '', organizationName: '' })
  const attempt = useAttempt(async (values: typeof form.values) => {
    await sessionClient().setup.create({ ...values, token })
    goTo('/app/')
  }, form.refuse)
  if (token === '') {
    return (
      <AuthFrame title={words.setup.noToken}>
        <Text>{words.setup.noTokenHelp}</Text>
      </AuthFrame>
    )
  }
  if (attempt.error instanceof ConflictError) {
    return (
      <AuthFrame title={words.setup.done}>
        <Anchor href="/app/sign-in">{words.toSignIn}</Anchor>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={words.setup.title} about={words.setup.about}>
      <AuthForm
        onSubmit={() => void attempt.run(form.values)}
        pending={attempt.pending}
        error={attempt.error}
        fields={Object.keys(form.values)}
        action={words.setup.action}
      >
        <TextInput
          label={words.setup.organization}
          description={words.setup.organizationHelp}
          {...form.text('organizationName')}
          autoComplete="organization"
          maxLength={200}
          required
        />
        <TextInput label={words.yourName} {...form.text('name')} autoComplete="name" maxLength={200} required />
        <TextInput type="email" label={words.email} {...form.text('email')} autoComplete="username" required />
        <PasswordField label={words.password} description={words.passwordHelp} {...form.field('password')} isNew />
      </AuthForm>
    </AuthFrame>
  )
}
