import type { GetServerSideProps } from 'next';
import { pages } from '@/auth';

export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await pages.auth(context);
  return session ? { props: { sub: session.sub } } : { redirect: { destination: '/auth/login?returnTo=/classic', permanent: false } };
};

export default function Classic({ sub }: { sub: string }) {
  return <p id="person">{sub}</p>;
}
