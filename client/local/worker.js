// The worker of browsers.
import { serve } from './serve.js';

const answer = serve((reply, moved = []) => postMessage(reply, { transfer: moved }));
addEventListener('message', ({ data }) => answer(data));
