/** How a sentence may open before it comes to its point; the source of a pattern. */
export const LEAD: string = String.raw`^(?:(?:ok(?:ay)?|no+|nope|yes|yeah|hey|and|but|also|so|then|please|pls|well|hmm+|dude|man|my dude|no man|again|actually|just|wait|stop)[,.!…\s]+){0,4}`;
