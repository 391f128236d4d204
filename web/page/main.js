// The playground's page: where it begins.
