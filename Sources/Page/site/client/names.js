/**
 * Nothing that anybody could see: blanks, and characters that fonts draw as nothing (U+3164, U+200B, U+2800). Directions and
 * joiners within a name that has more are left as they are.
 */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\u2800]*$/u;

/**
 * The name by which somebody is shown: their own, or their id where nobody could see that.
 * @param {{name: string, userId: string}} sender
 */
export const nameOf = ({ name, userId }) => (INVISIBLE.test(name) ? userId : name);
