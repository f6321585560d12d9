import { AuthError, MemoryReplayStore, receiveWebhook } from '@svc/next/server';

const replays = new MemoryReplayStore(); // for one process

export async function POST(request: Request) {
  try {
    const delivery = await receiveWebhook(request, { secrets: [process.env.WEBHOOK_SECRET!], replays });
    console.log(delivery.payload().type);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof AuthError) return error.toResponse();
    throw error;
  }
}
