module github.com/finhook/finhook-go

go 1.25
