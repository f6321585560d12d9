// Zip writes files of this folder into an archive, without their times: the archive, what comes before every name, and the names.
package main

import (
	"archive/zip"
	"log"
	"os"
)

func main() {
	archive, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	writer := zip.NewWriter(archive)
	for _, name := range os.Args[3:] {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		entry, err := writer.Create(os.Args[2] + name)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := entry.Write(text); err != nil {
			log.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		log.Fatal(err)
	}
}
