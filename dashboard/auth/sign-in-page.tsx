import { Alert, Anchor, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { sessionClient } from '../lib/session.ts'
import { useWords } from '../words/words.ts'
import { goTo, nextAddress } from './addresses.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordField } from './password-field.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

const route = getRouteApi('/sign-in')
/** Few need it at each visit. */
const CodeStep = lazy(() => import('./code-step.tsx'))

export function SignInPage() {
  const words = useWords(authWords)
  const { next, reset } = route.useSearch()
  const [step, setStep] = useState<'password' | 'code'>('password')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { data: state } = useQuery({ queryKey: ['setup'], queryFn: ({ signal }) => sessionClient().setup.get({ signal }) })
  const attempt = useAttempt(async () => {
    const { twoFactorRedirect } = await askAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password })
    if (twoFactorRedirect === true) setStep('code')
    else goTo(nextAddress(next))
  })
  if (step === 'code') {
    return (
      <Suspense>
        <CodeStep onDone={() => goTo(nextAddress(next))} />
      </Suspense>
    )
  }
  return (
    <AuthFrame title={words.signIn.title}>
      <Stack>
        {state?.needed === true && <Alert title={words.signIn.nobody}>{words.signIn.nobodyHelp}</Alert>}
        {reset === true && <Alert color="green">{words.signIn.reset}</Alert>}
        <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={words.signIn.action}>
          <TextInput
            type="email"
            label={words.email}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoComplete="username"
            required
          />
          <PasswordField label={words.password} value={password} onChange={setPassword} />
        </AuthForm>
        <Anchor size="sm" py={8} renderRoot={(props) => <Link {...props} to="/forgot-password" />}>
          {words.signIn.forgot}
        </Anchor>
      </Stack>
    </AuthFrame>
  )
}
