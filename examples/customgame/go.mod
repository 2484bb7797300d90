module github.com/matchreferee/arena/examples/customgame

go 1.26.0

require github.com/matchreferee/arena v0.0.0

require pgregory.net/rapid v1.3.0 // indirect

replace github.com/matchreferee/arena => ../..
