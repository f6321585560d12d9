import * as auth from '~/auth';

// SolidStart finds routes by declarations such as these.
export const GET = auth.GET;
export const POST = auth.POST;
