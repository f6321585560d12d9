package svc_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const reference = "../../docs/reference/packages/go.md"

// SVC_REWRITE_DOCS=1 writes the page.
func TestTheReferenceIsWhatTheCommentsSay(t *testing.T) {
	page := referencePage(t)
	if os.Getenv("SVC_REWRITE_DOCS") != "" {
		if err := os.WriteFile(reference, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != page {
		t.Error(reference + " is not what the comments say: SVC_REWRITE_DOCS=1 go test -run Reference writes it")
	}
}

func referencePage(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	all, err := doc.NewFromFiles(set, files, "svc.example/go")
	if err != nil {
		t.Fatal(err)
	}
	page := &referenceWriter{t: t, set: set, all: all}
	page.text.WriteString("# svc.example/go\n\n" + page.prose(all.Doc) +
		"Every name that the package exports, made from its comments. [How it is used](../../packages/go.md).\n")
	page.values("Constants", all.Consts)
	page.values("Variables", all.Vars)
	page.functions("##", "", all.Funcs)
	for _, kind := range all.Types {
		page.section("## type "+kind.Name, kind.Doc, kind.Decl)
		page.values("", kind.Consts)
		page.values("", kind.Vars)
		page.functions("###", "", kind.Funcs)
		page.functions("###", kind.Name+".", kind.Methods)
	}
	return page.text.String()
}

type referenceWriter struct {
	t    *testing.T
	set  *token.FileSet
	all  *doc.Package
	text strings.Builder
}

// prose is a comment as Markdown, without links to where the names that it mentions are published.
func (w *referenceWriter) prose(comment string) string {
	printer := w.all.Printer()
	printer.DocLinkBaseURL = ""
	printer.HeadingLevel = 4
	text := strings.TrimSpace(string(printer.Markdown(w.all.Parser().Parse(comment))))
	if text == "" {
		return ""
	}
	return text + "\n\n"
}

func (w *referenceWriter) section(title, comment string, declaration ast.Decl) {
	var code bytes.Buffer
	if err := format.Node(&code, w.set, declaration); err != nil {
		w.t.Fatal(err)
	}
	if title != "" {
		title += "\n\n"
	}
	w.text.WriteString("\n" + title + w.prose(comment) + "```go\n" + code.String() + "\n```\n")
}

func (w *referenceWriter) values(title string, all []*doc.Value) {
	if title != "" && len(all) > 0 {
		w.text.WriteString("\n## " + title + "\n")
	}
	for _, value := range all {
		value.Decl.Doc = nil
		w.section("", value.Doc, value.Decl)
	}
}

func (w *referenceWriter) functions(level, owner string, all []*doc.Func) {
	for _, function := range all {
		function.Decl.Doc, function.Decl.Body = nil, nil
		w.section(level+" func "+owner+function.Name, function.Doc, function.Decl)
	}
}
