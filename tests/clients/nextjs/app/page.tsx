import { auth } from '@/auth';

export default async function Page() {
  const session = await auth();
  if (!session) return <a href="/api/auth/signin">Sign in</a>;
  return <p>{session.user?.email}</p>;
}
