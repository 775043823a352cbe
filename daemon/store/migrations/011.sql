-- Over what a key may do, bound to its secret: a row that was damaged opens nothing. NULL until the file is next opened.
ALTER TABLE access_key ADD COLUMN seal BLOB;
