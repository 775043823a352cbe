/** Raised whenever the same document says something else. */
export const documentsVersion = 13;
